import StreamsUI
import Testing

@Observable private final class SignUp {
  var name = ""
  var email = ""
  var password = ""

  var isNamed: Bool { !name.isEmpty }
  var hasEmail: Bool { email.contains("@") }
  var isSafe: Bool { password.count >= 8 }
  var isComplete: Bool { isNamed && hasEmail && isSafe }
}

private struct SignUpForm: View {
  private enum Field: Hashable { case name, email, password }

  let create: (SignUp) -> Void
  @State private var form = SignUp()
  @State private var isShowingProblems = false
  @FocusState private var field: Field?

  var body: some View {
    Form {
      Section {
        TextField("Name", text: $form.name)
          .focused($field, equals: .name)
          .onSubmit { field = .email }
        TextField("Email", text: $form.email, prompt: Text("you@example.org"))
          .focused($field, equals: .email)
          .onSubmit { field = .password }
        SecureField("Password", text: $form.password)
          .focused($field, equals: .password)
          .onSubmit(submit)
      } footer: {
        if isShowingProblems { Problems(form: form) }
      }
      Button("Create", action: submit)
      Button("Later", role: .cancel) { field = nil }
    }
    .onAppear { field = .name }
  }

  private func submit() {
    isShowingProblems = true
    if !form.isNamed {
      field = .name
    } else if !form.hasEmail {
      field = .email
    } else if !form.isSafe {
      field = .password
    } else {
      field = nil
      create(form)
    }
  }
}

private struct Problems: View {
  let form: SignUp

  var body: some View {
    if !form.isNamed { Text("What is your name?") }
    if !form.hasEmail { Text("This is no address.") }
    if !form.isSafe { Text("At least eight characters, please.") }
  }
}

/// A form whose fields follow each other.
@MainActor @Suite struct SignUpTests {
  private final class Accounts { var names: [String] = [] }

  private let accounts = Accounts()

  private func makeHost() throws -> ViewHost {
    let accounts = accounts
    let host = ViewHost(SignUpForm { accounts.names.append($0.name) })
    try host.update()
    return host
  }

  private func enter(_ text: String, into label: String, _ host: ViewHost) throws {
    try host.act { try host.type(text, into: label) }
    try host.act { try host.submit(label) }
  }

  @Test func submittingAFieldLeadsToTheNext() throws {
    let host = try makeHost()
    #expect(host.focused?.label == "Name")
    try enter("Ada", into: "Name", host)
    #expect(host.focused?.label == "Email" && host.find("Email")?.attributes["prompt"] == "you@example.org")
    try enter("ada@example.org", into: "Email", host)
    #expect(host.focused?.label == "Password" && accounts.names == [])
    try enter("difference", into: "Password", host)
    #expect(host.focused == nil && accounts.names == ["Ada"])
    #expect(host.value("Password") == "••••••••••" && !host.description.contains("difference"))
  }

  @Test func theFirstProblemGetsTheFocus() throws {
    let host = try makeHost()
    try host.tapEach("Later")
    #expect(host.focused == nil && host.find("What is your name?") == nil)
    try host.tapEach("Create")
    #expect(host.focused?.label == "Name" && host.find("What is your name?") != nil)
    try host.act { try host.type("Ada", into: "Name") }
    try host.act { try host.type("ada", into: "Email") }
    #expect(host.find("What is your name?") == nil && host.focused?.label == "Email")
    try enter("short", into: "Password", host)
    #expect(host.focused?.label == "Email" && accounts.names == [])
    let problems = host.texts.filter { $0.hasSuffix(".") }
    #expect(problems == ["This is no address.", "At least eight characters, please."])
    try enter("ada@example.org", into: "Email", host)
    #expect(host.focused?.label == "Password" && host.value("Password") == "•••••")
    try enter("difference", into: "Password", host)
    #expect(accounts.names == ["Ada"] && host.labels("Section") == ["Name Email Password"])
  }

  @Test func typingEvaluatesOnlyWhoReads() throws {
    let host = try makeHost()
    #expect(try host.evaluated { try host.type("A", into: "Name") } == [])
    #expect(host.value("Name") == "A")
    try host.tapEach("Create")
    #expect(try host.evaluated { try host.type("a@b", into: "Email") } == ["Problems"])
    // The answer has not changed, but the text has been read.
    #expect(try host.evaluated { try host.type("a@bc", into: "Email") } == ["Problems"])
  }
}
