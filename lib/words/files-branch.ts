import { quotingSentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** What is said where the files moved with the branch of the chat, or the chat ends before its end. */
export const branchSentence = quotingSentencesOf({
  'files-branch.moved':
    '{count, plural, one {{path} is now as it was on this branch of the chat.} other {# files are now as they were on this branch of the chat.}}',
  'files-branch.not-kept': 'They could not be kept. {why}',
  'files-branch.hide-files': 'Hide the files',
  'files-branch.show-files': 'Show the files',
  'files-branch.keep': '{count, plural, one {Keep it as it was before} other {Keep them as they were before}}',
  'files-branch.ends-here': 'You went back to here. What you write next begins a new branch; what came after is kept.',
  'files-branch.forward': 'Go forward again',
  'files-branch.dismiss': 'Dismiss',
} as const satisfies Catalogue)
