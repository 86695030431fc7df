"""Solutions and pages for others."""
