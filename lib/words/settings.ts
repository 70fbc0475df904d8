import { sentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** What is said of the settings of a chat. */
export const settingsSentence = sentencesOf({
  'settings.damaged':
    'The settings of this chat could not be read, so the usual ones stand in. Your messages are unharmed. Saving the settings again mends it.',
  'settings.macro-tools': 'Here the model is told of the tools and how to call them. Left out, they come at the end.',
  'settings.macro-turn':
    'Also tell the model what holds in each turn: which tools it may use, whether you are asked, how many rounds are left. Wherever you write it, this comes at the very end.',
  'settings.no-macro': ({ name }: { readonly name: string }) =>
    `{{${name}}} is no macro, so the model is sent it as it is written.`,
  'settings.tools-often': ({ count }: { readonly count: number }) => {
    const times = count === 2 ? 'twice' : `${count} times`
    return `{{tools}} stands here ${times}, so the model is told of the tools ${times}.`
  },
  'settings.macro-often': ({ name }: { readonly name: string }) =>
    `{{${name}}} stands here more than once; its text is put at the end once.`,
} satisfies Catalogue)
