"""Tables: from a messy file to rows of numbers, every decision said."""
