"""The effect language: closed vocabularies and models of everything that a typed effect may say (DSL)."""
