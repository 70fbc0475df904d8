import { recipe } from './recipe'

/** One message of the log: what the person said stands at the end, in a bubble. */
export const message = recipe('group/msg mb-6', { by: { you: 'flex flex-col items-end' } })

const words = 'rounded-lg px-4 py-2.5 text-start text-lg wrap-anywhere'

/** What the person said, each paragraph in its own direction; dashed until the server has it. */
export const bubble = recipe(`max-w-[84%] whitespace-pre-wrap [unicode-bidi:plaintext] ${words}`, {
  state: { default: 'bg-hover', unsent: 'border border-dashed border-line-strong' },
})

/** The same words, being written anew. */
export const editedBubble = recipe('w-full rounded-lg bg-hover p-3 text-start text-lg', {})

/**
 * What can be done with a message. It takes its room at all times, so that nothing moves when it shows: with the pointer or
 * the focus on the message, always where there are branches, under the last reply, or nothing that hovers.
 */
export const underMessage = recipe(
  'flex min-h-7 items-center gap-0.5 text-sm/[inherit] text-muted [@media(hover:hover)]:not-has-data-branches:group-[:not(:hover,:focus-within,[data-last])]/msg:*:opacity-0',
  { by: { default: '-ms-2 mt-2', you: '-me-1 mt-1 -mb-4' } },
)

/** Cards under each other, and the words between them. */
export const stack = recipe('stack grid grid-cols-[minmax(0,1fr)] gap-2 [.prose+&]:mt-4', {})

/** A line that opens to what is folded away. */
export const fold = recipe('mb-2 inline-flex min-h-[1.5rem] items-center gap-1 text-sm text-muted [&>svg]:size-3', {})

/** What the model thought. */
export const thought = recipe(
  'mb-3 border-s-2 border-line ps-4 wrap-anywhere whitespace-pre-wrap text-muted [.prose+&]:mt-4 [.stack+&]:mt-4',
  {},
)
