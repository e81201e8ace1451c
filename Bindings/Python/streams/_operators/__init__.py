"""Publisher: a module for each family of its operators, and the class that is composed of them."""
