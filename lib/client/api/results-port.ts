import type { ChatResponse, ResultsAppend } from '@/lib/shared/conversation/wire/api-types'
import { failed, pageBroke, type ApiAnswer } from './api-failure'

/** The results of a reply's calls as they travel through the thread. */
export interface ResultsToSend {
  readonly kind: 'tool-results'
  /** Their conversation; by then another may be open. */
  readonly conversationId: string
  readonly append: ResultsAppend
}

/** Where the results of calls go in: as something said in the page's thread. */
export interface ResultsPort {
  /** Says them in the thread, or once there is one; settles with the server's answer. */
  readonly post: (conversationId: string, append: ResultsAppend) => Promise<ApiAnswer<ChatResponse>>
  /** The thread is in the page: `say` hands it what was posted, also before. Gives what ends it. */
  readonly connect: (say: (results: ResultsToSend) => void) => () => void
  /** The thread took them: they go to the server. */
  readonly deliver: (results: ResultsToSend) => void
}

interface Post {
  readonly results: ResultsToSend
  readonly settle: (answer: Promise<ApiAnswer<ChatResponse>>) => void
}

export function createResultsPort(
  send: (conversationId: string, append: ResultsAppend) => Promise<ApiAnswer<ChatResponse>>,
): ResultsPort {
  /** Posted and not taken by the thread yet. */
  const posts = new Set<Post>()
  let thread: ((results: ResultsToSend) => void) | null = null

  function say(post: Post): void {
    if (!thread) return
    try {
      thread(post.results)
    } catch (error) {
      console.error('The thread did not take the results of calls.', error)
      posts.delete(post)
      post.settle(Promise.resolve(failed('page-broke', 0, pageBroke())))
    }
  }

  return {
    post: (conversationId, append) =>
      new Promise((resolve) => {
        const post = { results: { kind: 'tool-results', conversationId, append } as const, settle: resolve }
        posts.add(post)
        say(post)
      }),
    connect(into) {
      thread = into
      for (const post of posts) say(post)
      return () => {
        if (thread === into) thread = null
      }
    },
    deliver(results) {
      const { conversationId, append } = results
      const post = [...posts].find((one) => one.results === results)
      if (!post) return
      posts.delete(post)
      post.settle(send(conversationId, append))
    },
  }
}
