"""The only epoch loop: order, stopping, status, and what a run keeps."""
