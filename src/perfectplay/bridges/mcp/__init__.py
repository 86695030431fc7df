"""The Model Context Protocol: verbs as tools of programs that talk with a language model."""
