"""What the command line, the report and the playground share."""
