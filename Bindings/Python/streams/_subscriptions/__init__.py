"""What belongs to one subscription: its publisher, its sink and its cancellable, or the emitter of a source of one's own."""
