"""What is true: tables, engines, search, books, and the oracle."""
