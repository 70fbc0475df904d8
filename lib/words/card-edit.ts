import { refusalsOf, sentencesOf, type Catalogue } from '@/lib/base/catalogue'

const words = {
  'card-edit.label': 'Edit the call',
  /** How a sentence about it begins, when it does not load. */
  'card-edit.part': 'The editor',
  'card-edit.loading': 'Loading the editor …',
  'card-edit.tool': 'Tool',
  'card-edit.view': 'View',
  'card-edit.form': 'Form',
  'card-edit.code': 'Code',
  'card-edit.json': 'Arguments as JSON',
  'card-edit.save': 'Save',
  'card-edit.cancel': 'Cancel',
  'card-edit.about': 'Nothing runs before you press Run. The model is told what you changed.',
  /** `issue` is the sentence of a check, from its second word on. */
  'card-edit.issue': '{path, select, empty {The arguments} other {{path}}} {issue}',

  'card-edit.not-yet': 'This is not JSON yet: it ends too early, in line {line, number}, column {column, number}.',
  'card-edit.not-json': 'This is not JSON: line {line, number}, column {column, number}.',
  'card-edit.no-object': 'The arguments must be one JSON object, such as {example}.',
  'card-edit.keeps-raw': 'The form can’t show this before it is JSON. Mend it, or cancel.',

  'card-edit.undo': 'undo',
  'card-edit.undo-change': 'undo the change',
  'card-edit.lifted': 'You treat this as a call.',
  'card-edit.in-place': 'You put this in place of a call that couldn’t be read.',
  'card-edit.told': 'The model is told so.',
  'card-edit.colours': 'The lines in red were asked, the green ones are yours.',
  'card-edit.compared': 'Asked and changed',
  'card-edit.left': 'You looked at the arguments and left them as they are.',
  /** `last` of several names stands apart. */
  'card-edit.changed': 'You changed {names, list}{last, select, empty {} other { and {last}}}.',
  'card-edit.chose': 'You chose {now} in place of {asked}.',
  'card-edit.chose-and-changed':
    'You chose {now} in place of {asked}, and changed {names, list}{last, select, empty {} other { and {last}}}.',
} as const satisfies Catalogue

/** What is said of a call that is changed before it runs, and while that is done. */
export const cardEditSentence = sentencesOf(words)

/** Why what is typed can’t be taken. */
export const cardEditRefusal = refusalsOf(words)
