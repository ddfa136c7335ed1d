(ns web-shop.sessions
  (:import [names Run])
  (:gen-class))

(defrecord Session [id user cart])

;; Sessions by their id. Nobody expires them.
(def active-sessions (atom {}))

(defn visit! [id]
  (swap! active-sessions update id #(or % (->Session id (Run/words 2) (Run/numbers 60)))))

(defn work [from to]
  (doseq [number (range from to)]
    (visit! (Run/id "session" number))))

(defn -main [& _]
  (Run/begin)
  (work 0 1200)
  (Run/before)
  (work 1200 12000)
  (Run/end))
