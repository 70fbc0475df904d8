import { toldOf } from '@/lib/base/catalogue'

const out =
  'nod.config.json{part, select, provider {, provider {number}} budget {, budget {number}} other {}} is left out{part, select, file { as a whole} other {}}'
const it = '{place, select, empty {it} other {"{place}"}}'

/** What is wrong with how models were configured: in the terminal, and in the page where its reader runs the server. */
export const configTold = toldOf({
  'config.no-json':
    'nod.config.json is not JSON{at, select, end { (it ends too early)} place { (line {line}, column {column})} other {}}, so it is left out as a whole.',
  'config.env-url': 'NOD_OPENAI_COMPATIBLE_URL is not an address like {like}, so that server is left out.',
  'config.env-ollama': 'OLLAMA_HOST is not an address like {like}, so Ollama is not looked for.',
  'config.env-server':
    'NOD_OPENAI_COMPATIBLE_SERVER is none of {names, list}, so what that server takes is found out by asking.',

  'config.form': `${out}: it has the wrong form.`,
  'config.unknown': `${out}: it has no setting called {names, list}.`,
  'config.one-of': `${out}: ${it} must be one of {names, list}.`,
  'config.type': `${out}: ${it} must be of type {type}.`,
  'config.id': `${out}: "id" must be lower-case letters, digits, ".", "_" and "-", at most 40.`,
  'config.value': `${out}: ${it} has a value that can’t be used ({code}).`,
  'config.taken': `${out}: the id "{id}" is taken; give it another "id".`,
  'config.both-keys': `${out}: it has both "key" and "keyEnv".`,
  'config.server': `${out}: "server" says which server an "openai-compatible" one is; leave it out.`,
  'config.header': `${out}: the header {name} can’t be set here, or its value can’t stand in a header.`,
  'config.header-unset': `${out}: the variable {variable}, which the header {name} names, is not set.`,
  'config.body': `${out}: "body" can’t set {names, list}: Nod sets them itself.`,
  'config.url': `${out}: "url" must be an address like {like}.`,
  'config.ollama-models': `${out}: Ollama is asked for its models; leave "models" out.`,
  'config.ollama-key': `${out}: Ollama takes no key; for one behind a key use the kind "openai-compatible".`,
  'config.no-key': `${out}: it needs a key: set {variable}, or name a variable in "keyEnv".`,
  'config.key-unset': `${out}: the variable {variable}, which "keyEnv" names, is not set.`,
})
