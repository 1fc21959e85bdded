; Added to what the program has checked before it looks into its table: the same year and day, a month outside 1 to 12.
(define-fun digit ((c (_ BitVec 8))) (_ BitVec 32) ((_ zero_extend 24) (bvsub c #x30)))
(define-fun month () (_ BitVec 32) (bvadd (bvmul (digit |arg[1][5]|) #x0000000a) (digit |arg[1][6]|)))
(assert (not (and (bvule #x00000001 month) (bvule month #x0000000c))))
(check-sat)
(get-value (|arg[1][5]| |arg[1][6]|))
