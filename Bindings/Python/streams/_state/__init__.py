"""State that is read, set and watched: properties, bindings, observable objects and scopes."""
