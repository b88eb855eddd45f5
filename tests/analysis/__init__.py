"""What the command line and the report both compute."""
