"""What is known of a position."""
