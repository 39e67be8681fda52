"""Many runs that differ in an option or two and in the seed, and what can be said of them together."""
