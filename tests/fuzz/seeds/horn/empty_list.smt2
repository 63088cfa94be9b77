(())
(assert (forall ((x (_ BitVec 8))) (=> (and) () false)))
