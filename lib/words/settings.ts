import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** What is said of the settings of a chat. */
export const settingsSentence = sentencesOf({
  'settings.damaged':
    'The settings of this chat could not be read, so the usual ones stand in. Your messages are unharmed. Saving the settings again mends it.',
  'settings.macro-tools': 'Here the model is told of the tools and how to call them. Left out, they come at the end.',
  'settings.macro-turn':
    'Also tell the model which tools it may use and whether you are asked, and with each round of results how many rounds are left. Wherever you write it, the first comes at the very end.',
  'settings.no-macro': "'{{'{name}'}}' is no macro, so the model is sent it as it is written.",
  'settings.tools-often':
    "'{{tools}}' stands here {count, plural, =2 {twice} other {# times}}, so the model is told of the tools {count, plural, =2 {twice} other {# times}}.",
  'settings.macro-often': "'{{'{name}'}}' stands here more than once; its text is put at the end once.",
} as const satisfies Catalogue)
