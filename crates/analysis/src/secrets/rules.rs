//! What credentials look like, as data: a pattern for each kind, and a check of what it matches. A pattern with a group
//! means the text of the group. The document of each format is named beside it.

use super::{jwt, values};

/// A kind of credential that is recognized by its form.
pub(super) struct SecretRule {
    /// Kind in CSV and JSON.
    pub(super) kind: &'static str,
    /// Regular expression. Letters of prefixes are grouped so that no scanner takes this file for a credential.
    pub(super) pattern: &'static str,
    /// True if the text of the match, or of its group, is one.
    pub(super) is_one: fn(&str) -> bool,
}

const fn rule(kind: &'static str, pattern: &'static str, is_one: fn(&str) -> bool) -> SecretRule {
    SecretRule { kind, pattern, is_one }
}

/// Its form is enough.
fn any(_text: &str) -> bool {
    true
}

pub(super) const PRIVATE_KEY: &str = "private-key";
pub(super) const PASSWORD: &str = "password";
pub(super) const SECRET: &str = "secret";
pub(super) const CARD: &str = "payment-card";
pub(super) const TOKEN: &str = "token";

pub(super) const RULES: &[SecretRule] = &[
    // RFC 7468, section 10 and 11, and OpenSSH's PROTOCOL.key; the key itself must follow.
    rule(
        PRIVATE_KEY,
        r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY(?: BLOCK)?-----(?:(?s:.{0,400}?)[\\rn\s])?[A-Za-z0-9+/=\\\s]{40}",
        any,
    ),
    // RFC 7519 and 7515: three parts in base64url, the first one a JSON object with the algorithm.
    rule("jwt", r"(?-u:\b)ey[A-Za-z0-9_-]{8,}\.ey[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]{8,}", jwt::is_jwt),
    // AWS, IAM identifiers: unique ids of access keys.
    rule("aws-access-key", r"(?-u:\b)A(?:KI|SI)A[A-Z2-7]{16}(?-u:\b)", values::is_varied),
    // GitHub, "About authentication": token formats.
    rule("github-token", r"(?-u:\b)gh[pousr]_[A-Za-z0-9]{36,255}(?-u:\b)", values::is_varied),
    rule("github-token", r"(?-u:\b)github_pa[t]_[A-Za-z0-9_]{82}(?-u:\b)", values::is_varied),
    // GitLab, "Token overview": token prefixes.
    rule("gitlab-token", r"(?-u:\b)glpa[t]-[A-Za-z0-9_-]{20,}", values::is_varied),
    // Slack, "Token types" and "Incoming webhooks".
    rule("slack-token", r"(?-u:\b)xox[abeoprs]-[A-Za-z0-9-]{20,}", values::is_varied),
    rule("slack-webhook", r"https://hooks\.slack\.com/services/(T[A-Z0-9]+/B[A-Z0-9]+/[A-Za-z0-9]{20,})", any),
    // Google Cloud, "Manage API keys", and the OAuth 2.0 client and access tokens.
    rule("google-key", r"(?-u:\b)AIz[a][0-9A-Za-z_-]{35}", values::is_varied),
    rule("google-key", r"(?-u:\b)GOCSP[X]-[A-Za-z0-9_-]{28}", values::is_varied),
    rule("google-key", r"(?-u:\b)ya2[9]\.[0-9A-Za-z_-]{20,}", values::is_varied),
    // Stripe, "API keys" and "Webhook signatures".
    rule("stripe-key", r"(?-u:\b)[sr]k_(?:live|test)_[0-9A-Za-z]{16,}", values::is_varied),
    rule("stripe-key", r"(?-u:\b)whse[c]_[0-9A-Za-z+/=]{24,}", values::is_varied),
    // npm, "About access tokens"; PyPI, "API tokens": the prefix is the beginning of every macaroon.
    rule("npm-token", r"(?-u:\b)np[m]_[A-Za-z0-9]{36}(?-u:\b)", values::is_varied),
    rule("pypi-token", r"(?-u:\b)pyp[i]-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,}", any),
    // SendGrid, "API keys".
    rule("sendgrid-key", r"(?-u:\b)S[G]\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}", values::is_varied),
    // Shopify, "Access token prefixes"; DigitalOcean, "Personal access tokens"; Vault, "Tokens".
    rule("shopify-token", r"(?-u:\b)shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}(?-u:\b)", any),
    rule("digitalocean-token", r"(?-u:\b)do[opr]_v1_[0-9a-f]{64}(?-u:\b)", any),
    rule("vault-token", r"(?-u:\b)hv[sb]\.[A-Za-z0-9_-]{24,}", values::is_varied),
    // Azure Storage, "Configure connection strings"; Service Bus has the second form.
    rule("azure-key", r"(?-u:\b)AccountKe[y]=([A-Za-z0-9+/]{86}==)", any),
    rule("azure-key", r"(?-u:\b)SharedAccessKe[y]=([A-Za-z0-9+/]{42,43}=)", any),
    // RFC 6750, section 2.1, and RFC 7617, section 2: the value of the header, or the whole header.
    rule(
        "authorization",
        r#"(?i)(?:^|authorization["']?\s*[:=]\s*["']?)bearer\s+([A-Za-z0-9._~+/-]{16,}=*)"#,
        values::is_credential,
    ),
    rule(
        "authorization",
        r#"(?i)(?:^|authorization["']?\s*[:=]\s*["']?)basic\s+([A-Za-z0-9+/]{8,}={0,2})"#,
        jwt::is_basic,
    ),
    // RFC 3986, section 3.2.1.
    rule(
        "url-password",
        r#"(?i)(?-u:\b)[a-z][a-z0-9+.-]{1,30}://[^\s/?\#:@"'<>]{0,100}:([^\s/?\#@"'<>]{3,100})@[a-z0-9_\[]"#,
        values::is_password,
    ),
    // JDBC, ODBC and ADO.NET connection strings, properties, queries of URLs.
    rule(
        PASSWORD,
        r#"(?i)(?:password|passwd|passphrase|(?-u:\b)pwd)["']?\s?=\s?["']?([^\s"';&,<>)]{4,200})"#,
        values::is_password,
    ),
    rule(PASSWORD, r#"(?i)"(?:[a-z_]*password|passwd|passphrase|pwd)"\s*:\s*"([^"\\]{4,200})""#, values::is_password),
    rule(
        SECRET,
        r#"(?i)(?:secret|secret_?key|api_?key|access_?key|(?:access|auth|refresh|id|session)_?token)["']?\s?[=:]\s?["']?([A-Za-z0-9._~+/=-]{16,200})"#,
        values::is_credential,
    ),
    // ISO/IEC 7812-1.
    rule(CARD, r"(?-u:\b)\d(?:[ -]?\d){12,18}(?-u:\b)", super::cards::is_card),
];
