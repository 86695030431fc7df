"""Values without a table: alpha-beta with bounds, threats, opening books."""
