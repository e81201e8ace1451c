/* Servers that ask who is there, and connections that nobody else reads. */

#include "keys.h"
#include "server.h"

#include <nats/nats.h>

static server host;

/* The path of a file beside the server's; valid until the next call but three. */
static const char *path_of(const char *name) {
    static char paths[4][128];
    static unsigned next;
    char *path = paths[next++ % 4];
    (void)snprintf(path, sizeof paths[0], "%s/%s", host.store, name);
    return path;
}

static const char *write_file(const char *name, const char *text) {
    const char *path = path_of(name);
    FILE *file = fopen(path, "we");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) fail_msg("cannot write %s", path);
    return path;
}

static void start_with(const char *configuration) {
    const char *const extra[] = { "-c", write_file("server.conf", configuration), NULL };
    server_start(&host, extra);
}

static int begin(void **state) {
    (void)state;
    server_prepare(&host);
    /* A server whose accounts come from elsewhere has no JetStream without more of them. */
    host.bare = true;
    return 0;
}

static int end(void **state) {
    (void)state;
    server_remove(&host);
    return 0;
}

static streams_nats_options options_for_host(void) {
    streams_nats_options options = STREAMS_NATS_OPTIONS_INIT;
    options.servers = host.url;
    return options;
}

static void assert_refused(const streams_nats_options *options, const char *words) {
    assert_null(streams_nats_connect(options));
    assert_int_equal(streams_last_status(), STREAMS_NATS_FAILED);
    if (strstr(streams_last_message(), words) == NULL) fail_msg("%s", streams_last_message());
}

static void assert_taken(const streams_nats_options *options) {
    streams_nats_connection *made = streams_nats_connect(options);
    if (made == NULL) fail_msg("%s", streams_last_message());
    assert_ok(streams_nats_flush(made, 5 * STREAMS_SECOND));
    assert_ok(streams_nats_release(made));
}

static void a_token_opens(void **state) {
    (void)state;
    start_with("authorization { token: right }\n");
    streams_nats_options options = options_for_host();
    assert_refused(&options, "Authorization Violation");
    options.token = "wrong";
    assert_refused(&options, "Authorization Violation");
    options.token = "right";
    assert_taken(&options);
}

/* nats.c puts them into JSON as they are. */
static void what_is_said_may_have_any_signs(void **state) {
    (void)state;
    const char *const odd = "a\"b\\c\td, \"verbose\": true";
#define IN_FILE "\"a\\\"b\\\\c\\td, \\\"verbose\\\": true\""
    start_with("authorization { user: " IN_FILE ", password: " IN_FILE " }\n");
    streams_nats_options options = options_for_host();
    options.name = options.user = options.password = odd;
    assert_taken(&options);
    server_stop(&host);
    start_with("authorization { token: " IN_FILE " }\n");
    options = options_for_host();
    options.token = odd;
    assert_taken(&options);
}

/* Writes each byte as a format has it. Valid until the next call but three. */
static const char *spelled(const char *text, const char *format) {
    static char written[4][1024];
    static unsigned next;
    char *out = written[next++ % 4], *end = out;
    for (; *text != '\0'; text++) end += sprintf(end, format, (unsigned char)*text);
    return out;
}

static void assert_login_opens(const char *login) {
    char url[2304];
    (void)snprintf(url, sizeof url, "nats://%s@127.0.0.1:%d", login, host.port);
    streams_nats_options options = options_for_host();
    options.servers = url;
    assert_taken(&options);
}

/* nats.c puts these into JSON as they are too, and whether it decodes them is a matter of its version. */
static void an_address_may_have_any_login(void **state) {
    (void)state;
    char any[160] = "", login[2048], configuration[2048];
    for (char c = 1; c < 127; c++) any[c - 1] = c;
    (void)strcat(any, "\xC3\xBC\xE2\x82\xAC");
    const char *const logins[][2] = { { any, any }, { "a\"\\\xC3\xBC", "\"} PUB: x\\\r\n@b" } };
    const char *const in_address[] = { "%%%02X", "%c" };
    for (size_t i = 0; i < 2; i++) {
        const char *user = logins[i][0], *password = logins[i][1];
        (void)snprintf(configuration, sizeof configuration,
            "authorization { user: \"%s\", password: \"%s\" }\n", spelled(user, "\\x%02X"),
            spelled(password, "\\x%02X"));
        start_with(configuration);
        (void)snprintf(
            login, sizeof login, "%s:%s", spelled(user, in_address[i]), spelled(password, in_address[i]));
        assert_login_opens(login);
        server_stop(&host);
        (void)snprintf(configuration, sizeof configuration, "authorization { token: \"%s\" }\n",
            spelled(user, "\\x%02X"));
        start_with(configuration);
        assert_login_opens(spelled(user, in_address[i]));
        server_stop(&host);
    }
}

static void a_key_opens(void **state) {
    (void)state;
    start_with("authorization { users = [ { nkey: " USER_KEY " } ] }\n");
    streams_nats_options options = options_for_host();
    options.nkey = USER_KEY;
    options.nkey_seed_file = write_file("seed", USER_SEED "\n");
    assert_taken(&options);
    options.nkey_seed_file = path_of("none");
    assert_refused(&options, "none");
    options.nkey_seed_file = NULL;
    assert_null(streams_nats_connect(&options));
    assert_int_equal(streams_last_status(), STREAMS_INVALID_ARGUMENT);
    options.nkey = NULL;
    assert_refused(&options, "Authorization Violation");
}

static void a_file_of_credentials_opens(void **state) {
    (void)state;
    start_with("operator: " OPERATOR_TOKEN "\nresolver: MEMORY\n"
               "resolver_preload: { " ACCOUNT_KEY ": " ACCOUNT_TOKEN " }\n");
    streams_nats_options options = options_for_host();
    options.credentials_file = write_file("user.creds",
        "-----BEGIN NATS USER JWT-----\n" USER_TOKEN "\n------END NATS USER JWT------\n\n"
        "-----BEGIN USER NKEY SEED-----\n" USER_SEED "\n------END USER NKEY SEED------\n");
    assert_taken(&options);
    options.credentials_file = path_of("none");
    assert_refused(&options, "none");
    options.credentials_file = NULL;
    assert_refused(&options, "Authorization Violation");
}

/* ---- TLS ---------------------------------------------------------------------------------------------- */

static void make_certificates(void) {
    char command[2048];
    (void)snprintf(command, sizeof command,
        "cd %s && exec 2>/dev/null && "
        "openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=authority && "
        "openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=127.0.0.1 && "
        "printf 'subjectAltName=IP:127.0.0.1' > names && "
        "openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names "
        "-out server.pem && "
        "openssl req -newkey rsa:2048 -nodes -keyout user.key -out user.csr -subj /CN=user && "
        "openssl x509 -req -in user.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -out user.pem && "
        "openssl req -x509 -newkey rsa:2048 -nodes -keyout other.key -out other.pem -days 2 -subj /CN=other",
        host.store);
    if (system(command) != 0) fail_msg("openssl makes no certificates");
}

static void start_with_tls(bool verify) {
    char configuration[1024];
    (void)snprintf(configuration, sizeof configuration,
        "tls { cert_file: \"%s\", key_file: \"%s\", ca_file: \"%s\", verify: %s }\n", path_of("server.pem"),
        path_of("server.key"), path_of("ca.pem"), verify ? "true" : "false");
    start_with(configuration);
}

static void the_server_is_who_it_says(void **state) {
    (void)state;
    make_certificates();
    start_with_tls(false);
    streams_nats_options options = options_for_host();
    options.tls_ca_file = path_of("ca.pem");
    assert_taken(&options);
    options.tls_ca_file = path_of("other.pem");
    options.max_reconnects = 1;
    assert_refused(&options, "certificate");
    options.tls_ca_file = path_of("none.pem");
    assert_refused(&options, "none.pem");
}

static void the_user_has_a_certificate(void **state) {
    (void)state;
    make_certificates();
    start_with_tls(true);
    streams_nats_options options = options_for_host();
    options.tls_ca_file = path_of("ca.pem");
    options.tls_certificate_file = path_of("user.pem");
    options.tls_key_file = path_of("user.key");
    assert_taken(&options);
    options.tls_key_file = path_of("other.key");
    assert_refused(&options, "key");
    options.tls_key_file = NULL;
    assert_null(streams_nats_connect(&options));
    assert_int_equal(streams_last_status(), STREAMS_INVALID_ARGUMENT);
}

int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_token_opens, begin, end),
        cmocka_unit_test_setup_teardown(what_is_said_may_have_any_signs, begin, end),
        cmocka_unit_test_setup_teardown(an_address_may_have_any_login, begin, end),
        cmocka_unit_test_setup_teardown(a_key_opens, begin, end),
        cmocka_unit_test_setup_teardown(a_file_of_credentials_opens, begin, end),
        cmocka_unit_test_setup_teardown(the_server_is_who_it_says, begin, end),
        cmocka_unit_test_setup_teardown(the_user_has_a_certificate, begin, end),
    };
    if (count > 1) cmocka_set_test_filter(arguments[1]);
    return run_nats_tests(tests, sizeof tests / sizeof tests[0]);
}
