(ns feed.prices
  (:import [names Run]))

(defrecord Subscriber [id title history])

;; Functions that want to hear of new prices. Nothing removes them.
(def listeners (atom []))

(defn subscribe! [^Subscriber subscriber]
  (swap! listeners conj (fn [price] (aset ^longs (:history subscriber) 0 (long price)))))

(defn publish! [price]
  (doseq [listener @listeners] (listener price)))

(defn work [from to]
  (doseq [number (range from to)]
    (subscribe! (->Subscriber (Run/id "subscriber" number) (Run/words 4) (Run/numbers 60))))
  (publish! 42))

(defn -main [& _]
  (Run/begin)
  (work 0 1200)
  (Run/before)
  (work 1200 12000)
  (Run/end))
