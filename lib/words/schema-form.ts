import { sentencesOf } from '@/lib/base/catalogue'

/** A form that is made from the schema of a tool. */
export const formSentence = sentencesOf({
  'form.no-arguments': 'This tool takes no arguments.',
  'form.issue': 'It {issue}.',
  'form.issue-at': '{path} {issue}.',
  'form.issue-all': 'The arguments {issue}.',
  'form.optional': 'optional',
  'form.not-set': 'not set',
  'form.none-of-them': '{value} (not one of them)',
  'form.item': '{name} {number}',
  'form.remove': 'Remove {name} {number}',
  'form.add': 'Add to {name}',
})
