import { nothingShown, type ShownParts } from '@/lib/shared/conversation/readable/readable-chat'

/** What stays with the person who takes a chat along: everything but what others should not see by mistake. */
export const forMyself: ShownParts = { ...nothingShown, arguments: true, results: true, files: true }
