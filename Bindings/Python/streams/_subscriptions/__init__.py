"""The parts of one subscription: its publisher, its sink and its cancellable, or the emitter of a custom source."""
