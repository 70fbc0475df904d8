// Foreign text in a message of the app is quoted: a value that others wrote (a path, a name, a title) has the type
// `Foreign`, for which a plain text does not compile. These areas are the exceptions, with the reason.
export const unquotedAreas = {
  'a terminal or a log of the server shows them, which has no code type': [
    'account-command',
    'accounts',
    'backup',
    'config',
    'doctor',
    'variable',
  ],
  'models read them, or a stored row or an answer of the server holds them, as plain text': [
    'call',
    'chat',
    'demo',
    'exact',
    'explain',
    'failure',
    'form',
    'gate',
    'lab',
    'listing',
    'log',
    'models',
    'no-call',
    'play',
    'settings',
    'store',
    'told',
    'tool',
    'vfs',
    'wllama',
    'workspace',
    'zip',
  ],
  'an exported page or a text file holds them': ['readable'],
  'labels of controls, and names that their reader gave or chose: invisible characters are marked in them': [
    'account',
    'admin',
    'asks',
    'attach',
    'card',
    'card-edit',
    'card-files',
    'inspector',
    'lab-page',
    'llama',
    'lost',
    'may',
    'own',
    'reading',
    'said',
    'server',
    'temporary',
    'thread',
    'wait',
  ],
  'titles of windows and of pages are ours': ['page'],
}

const unquoted = new Set(Object.values(unquotedAreas).flat())

/** @param {string} key */
export const areaOf = (key) => key.slice(0, key.indexOf('.'))

/** @param {string} key */
export const isQuoted = (key) => !unquoted.has(areaOf(key))
