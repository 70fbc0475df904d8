// Turns of phrase that messages and docs do not use, each with what to write instead.
/** @type {readonly (readonly [pattern: RegExp, instead: string])[]} */
export const bannedTurns = [
  [/\bwhoever\b/i, 'name the person: the administrator, anyone who …'],
  [/\b(?:somebody|everybody|anybody)\b/i, 'name the person: a user, all people, anyone'],
  [/\b(?:is|are|was|were) told\b(?! apart)/i, 'the model gets, learns or knows'],
  [/\bstands? in\b/i, 'is in, replaces, is used'],
  [/\bstands? (?:above|below|beside|there|here|still)\b/i, 'is above, is below'],
  [/\ball that\b(?! (?:is needed|you need))/i, 'everything, all of it'],
  [/\b(?:goes|go|went) along\b/i, 'is sent, is included'],
  [/\btakes? (?:it|them) along\b/i, 'includes'],
  [/\bany more\b/i, 'no longer'],
  [/\b(?:went|goes) on\b/i, 'continue'],
  [/\bcomes? to nothing\b/i, 'has no effect'],
  [/\bways? out\b/i, 'fix, solution'],
  [/\bso many\b/i, 'this many, up to'],
  [/\ba word from you\b/i, 'a message from you'],
  [/\b(?:counted|loaded|read|begun) anew\b/i, 'again, reset'],
  [/\bwhat was said\b/i, 'name it: the message, the decision'],
]

/**
 * The text without code, quotations and link targets, because test names and code have their own vocabulary.
 * @param {string} markdown
 */
export const proseOf = (markdown) =>
  markdown
    .replace(/^(```|~~~)[\s\S]*?^\1/gm, (code) => code.replace(/[^\n]/g, ''))
    .replace(/`[^`\n]*`/g, '')
    .replace(/“[^”\n]*”/g, '')
    .replace(/\]\([^)\n]*\)/g, ']')

/**
 * The text of an ICU message, without the names of its values and forms.
 * @param {string} message
 */
export const textOfMessage = (message) => message.replace(/\{\w+(?:, \w+)*(?=[,}])|[=\w]+ (?=\{)/g, ' ')

/**
 * The banned turns in a text, by line.
 * @param {string} text
 * @returns {readonly { line: number, turn: string, instead: string }[]}
 */
export const bannedTurnsIn = (text) =>
  text.split('\n').flatMap((line, index) =>
    bannedTurns.flatMap(([pattern, instead]) => {
      const turn = pattern.exec(line)?.[0]
      return turn === undefined ? [] : [{ line: index + 1, turn, instead }]
    }),
  )
