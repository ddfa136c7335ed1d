(ns tariff.pricing
  (:import [names Run]))

(defrecord Quote [route text prices])

(defn- ask [route]
  (->Quote route (Run/words 8) (Run/numbers 50)))

;; Each route is asked once. The table of `memoize` has no bound.
(def quote-for (memoize ask))

(defn work [from to]
  (doseq [number (range from to)]
    (quote-for (Run/id "route" number))))

(defn -main [& _]
  (Run/begin)
  (work 0 1200)
  (Run/before)
  (work 1200 12000)
  (Run/end))
