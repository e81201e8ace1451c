"""An object that notifies before one of its published attributes changes."""

from streams import ObservableObject, Published


class Contact(ObservableObject):
    name = Published[str]()
    age = Published[int]()

    def __init__(self, name, age):
        self.name = name
        self.age = age

    def have_birthday(self):
        self.age += 1
        return self.age


john = Contact("John Appleseed", 24)
cancellable = john.object_will_change.sink(lambda _: print(john.age, "will change"))
print(john.have_birthday())
