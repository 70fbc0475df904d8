import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'
import { counted, numberWords } from '@/lib/base/locale'

/** What is said of a chat that is longer than its model's window. */
export const windowSentence = sentencesOf({
  'window.trimmed': ({ messages, windowTokens }: { readonly messages: number; readonly windowTokens: number }) =>
    `${counted(messages, {
      one: 'earlier message of this chat was not sent to the model: it',
      other: 'earlier messages of this chat were not sent to the model: they',
    })} did not fit its window of ${numberWords(windowTokens)} tokens.`,
} satisfies Catalogue)
