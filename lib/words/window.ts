import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** What is said of a chat that is longer than its model's window. */
export const windowSentence = sentencesOf({
  'window.trimmed':
    '{messages, plural, one {# earlier message of this chat was not sent to the model: it} other {# earlier messages of this chat were not sent to the model: they}} did not fit its window of {windowTokens, number} tokens.',
  'window.bounded':
    '{messages, plural, one {# earlier message} other {# earlier messages}} of this chat {messages, plural, one {was} other {were}} not sent to the model. How much this model takes is not known, and such a model is sent at most {windowTokens, number} tokens.',
} as const satisfies Catalogue)
