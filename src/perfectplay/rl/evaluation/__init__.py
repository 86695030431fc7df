"""How good a policy is, exactly: regret, mistakes, exploitability, calibration, against perfect and other play."""
