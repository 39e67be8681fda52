"""Deep Q-learning (Mnih et al. 2015) with the parts that make it learn here."""
