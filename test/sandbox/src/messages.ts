import { fill, type FactsOf } from 'audience-core/internal';

/** How to use the sandbox from another machine or container. */
const SWITCHES =
  'For other machines and containers, start the sandbox with --host 0.0.0.0 --allow-host {name} --control-key KEY. For your program, set AUDIENCE_ALLOW_INSECURE=true.';

/** What the sandbox says of each problem; `{name}` stands for a value of the problem. */
export const MESSAGES = {
  data_file_damaged:
    "The data file {file} is damaged ({reason}). Restore a backup, choose another file with --data, or recover its data with 'sqlite3 {file} .recover'.",
  data_file_in_use: '{file} is in use by another sandbox. Stop that sandbox, or choose another file.',
  data_file_is_folder: '{file} is a folder, not a data file. Name a file in it.',
  data_file_without_folder: 'There is no folder {folder} for the data file. Create it, or name another file.',
  data_file_foreign: '{file} is not a data file of the sandbox. Choose another file.',
  data_file_disk_full:
    'The data file {file} cannot be used: its disk is full. Free some space, or name another file.',
  data_file_unusable: 'The data file {file} cannot be used: {reason}.',
  node_without_sqlite:
    'A data file needs Node 22.13 or newer, and this is Node {version}: update Node, or start without a data file.',
  data_file_of_other_program: '{file} is the database of another program. Name another file.',
  data_file_of_other_version: '{file} was written by another version of the sandbox. Name another file.',
  pull_option_without_pull: '--from and --out go with the command pull.',
  unknown_command: "There is no command '{command}'.",
  pull_without_from: 'pull needs --from, the URL of the service.',
  pull_without_out: 'pull needs --out, the file to write.',
  option_without_value: '--{name} needs a value.',
  pull_without_api_key: 'Set AUDIENCE_API_KEY to the API key of the account to read.',
  pull_file_exists: '{file} exists already; name another file with --out, or move it away.',
  pull_without_folder: 'There is no folder {folder}; create it, or name another file with --out.',
  file_unusable: 'The {what} {file} cannot be used: {reason}',
  clock_too_far: 'The clock cannot be moved that far from 1970.',
  body_not_yaml: 'The body is not valid YAML: {reason}.',
  no_email: "There is no email '{id}'. It may have been deleted.",
  no_fault: "There is no fault '{id}'. It may have hit all its calls already.",
  no_request: "There is no call '{id}' in the log.",
  no_contact_named: "There is no contact with the email address, userId or id '{id}'.",
  body_too_large: 'The body is larger than 1 MiB ({bytes} bytes), the most that is accepted.',
  body_not_utf8: 'The body is not valid UTF-8.',
  body_empty: 'The body is empty; a JSON object is needed.',
  body_too_deep: 'The body is nested more than {levels} levels deep.',
  body_with_proto: "The body has a field '__proto__'. Remove it: no field can have this name.",
  body_not_json: 'The body is not valid JSON: {reason}.',
  no_host_header: "The header 'Host' is missing.",
  other_origin: 'The control plane accepts no requests from other origins ({origin}).',
  no_control_key: "Give the control key of the sandbox: as the password, or as 'Authorization: Bearer KEY'.",
  page_method_not_allowed: '{path} does not accept {method}, only GET.',
  sandbox_failed: 'The sandbox itself failed ({reason}). Please report this as a bug of the sandbox.',
  no_endpoint: 'No endpoint has the path {path}. Check the path.',
  no_control_path:
    "The control plane has nothing at '/__sandbox{path}'. Its docs/control-plane.md lists all paths, such as /__sandbox/status.",
  method_not_allowed: '{path} does not accept {method}, only {allowed}.',
  path_not_encoded: "'{segment}' in the path is not valid percent-encoding.",
  was_reset: 'The sandbox was reset during this call. The call changed nothing.',
  rate_limited: 'The limit of {limit} requests per second is reached. Retry after {seconds} s.',
  fault_set: 'A fault was set in the sandbox: {status}.',
  no_authorization: "The header 'Authorization' is missing; send 'Authorization: Bearer <API key>'.",
  authorization_not_bearer: "The header 'Authorization' must read 'Bearer <API key>'.",
  wrong_api_key: 'The API key is wrong; use the one that the sandbox printed at its start.',
  outside_prefix: 'There is nothing at {path}: this sandbox is under {prefix}/.',
  template_unreadable: "The template of '{id}' cannot be read: {reason}.",
  seed_email_twice:
    "The seed has two contacts with the email address '{email}'. Remove or change one of them.",
  seed_user_id_twice: "The seed holds two contacts with the userId '{userId}'.",
  seed_contact: "Contact '{name}' of the seed: {reason}",
  seed_id_twice: "The seed holds the {what} '{id}' twice.",
  property_value: "'{name}' {reason}.",
  user_id_not_clearable:
    "'userId' cannot be cleared: the contact has no email address, so it would have no identifier.",
  email_taken: "'email': another contact ({id}) has the address '{email}'.",
  user_id_taken: "'userId': another contact ({id}) has the userId '{userId}'.",
  unknown_cursor: "'cursor' is unknown: pass the 'nextCursor' of the previous page.",
  two_contacts:
    "The email address '{email}' and the userId '{userId}' belong to two different contacts ({first} and {second}); send only one of the two identifiers.",
  unknown_query: "'{name}' is not a query parameter of this request.",
  property_exists: "The contact property '{name}' exists already, with the type {type}.",
  no_design: "There is no transactional email '{id}'. GET /v1/transactional lists those that exist.",
  no_address: "No contact with the userId '{userId}' has an email address to send to.",
  variables_missing: "'dataVariables': the transactional email '{id}' also expects {names}.",
  option_wrong: "--{name} cannot be '{value}': it {rule}.",
  command_line: '{reason}',
  pull_failed: '{reason}',
  data_file_not_written:
    'The data file {file} could not be written ({reason}), so the request changed nothing. Check the disk, then send the request again.',
  data_file_disk_filled:
    'The data file {file} could not be written (its disk is full), so the request changed nothing. Free some space, then send the request again.',
  no_seed_file: 'There is no file {file} to read the seed from.',
  no_profile_file:
    "There is no file {file} to read the profile from. For a preset, write 'preset: awkward' into a file.",
  file_unreadable: 'The {what} {file} cannot be read: {reason}',
  nothing_there: 'No {noun} fits {filter} after {timeoutMs} ms. There is no {noun} at all.',
  nothing_after: 'No {noun} fits {filter} after {timeoutMs} ms. No {noun} came after {after}.',
  nothing_to_wait_after: "There is no {noun} '{id}' to look after. Give the id of one that is still there.",
  no_design_or_automation: "There is no design or automation '{name}'. The sandbox has: {known}.",
  nothing_fits:
    'No {noun} fits {filter} after {timeoutMs} ms. The closest of {count} is {id}, with these differences:{fields}',
  closed_while_waiting: 'The sandbox was closed during the wait: no {noun} fits {filter}.',
  filter_value_lost:
    "'{name}' is undefined in the filter. Remove it, or give null for a value that is not set.",
  no_sandbox_url:
    "connectSandbox needs the base URL of a sandbox, such as http://127.0.0.1:4010, not '{url}'. Has the set-up of your test run set AUDIENCE_BASE_URL?",
  no_sandbox: 'There is no sandbox at {url} ({reason}). Start one, or correct the URL.',
  other_server: 'There is another server at {url}, not a sandbox. Correct the URL.',
  refused: '{reason}',
  port_in_use:
    'Port {port} is in use, perhaps by a sandbox that is still running. Use port {free}, or port 0 for any free port.',
  port_forbidden: 'Port {port} may not be used by this user. Choose one above 1023.',
  no_address_here: "This machine has no address '{host}' to listen on.",
  no_host: "There is no host '{host}' to listen on.",
  invalid: '{faults}.',
  no_group: "'subscriptionGroups.{id}': there is no subscription group '{id}'. The account has: {known}.",
  no_property:
    "There is no contact property '{name}'. Create it first with POST /v1/contacts/properties; the account has: {known}.",
  no_contact:
    "There is no contact with the email address or userId '{identifier}'. An event or an email with 'addToAudience' creates one, an update does not.",
  email_by_email: "To change 'email', use the contact's userId in the path, not its email address.",
  email_without_user_id:
    "'email' cannot be changed by the email. First give the contact a userId, then use the userId in the path.",
  key_in_use: "The idempotency key '{key}' is in use by a request in progress.",
  key_used: "The idempotency key '{key}' was used before.",
  key_used_otherwise: "The idempotency key '{key}' was used with another body.",
  body_without_type: "Send the body as JSON, with the header 'Content-Type: application/json'.",
  body_of_other_type:
    "Send the body as JSON, with the header 'Content-Type: application/json' instead of '{type}'.",
  host_not_allowed: `The sandbox does not accept the name '{name}': a web page could point it here. ${SWITCHES}`,
  control_plane_local: `The control plane and the inbox are open to the machine of the sandbox only. ${SWITCHES}`,
  network_switches: SWITCHES,
} as const;

/** What can be wrong. */
export type ProblemCode = keyof typeof MESSAGES;

/** Something that is wrong: its code, and the values that its message names. */
export type Problem = {
  [Code in ProblemCode]: { readonly code: Code } & FactsOf<
    (typeof MESSAGES)[Code],
    string | number | null | undefined
  >;
}[ProblemCode];

/** The sentences of a problem. */
export function sentenceOf(problem: Problem): string {
  return fill(MESSAGES[problem.code], problem);
}
