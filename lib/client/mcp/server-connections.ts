import type { ToolServer } from '@/lib/shared/conversation/settings/tool-server'
import type { RemoteServer } from './remote-server'

/**
 * The connections of this page: one for each stored server, and one for a server that is being tested. A sign-in made
 * during the test is kept when the server is stored.
 */
export function createServerConnections(open: (url: string) => RemoteServer) {
  const remotes = new Map<string, RemoteServer>()
  let tested: { readonly url: string; readonly remote: RemoteServer } | null = null

  function takeTested(url: string): RemoteServer | null {
    if (tested?.url !== url) return null
    const { remote } = tested
    tested = null
    return remote
  }
  function endTest(): void {
    tested?.remote.close()
    tested = null
  }
  function ofTest(url: string): RemoteServer {
    const remote = takeTested(url) ?? open(url)
    endTest()
    tested = { url, remote }
    return remote
  }

  return {
    remoteOf({ id, url }: Pick<ToolServer, 'id' | 'url'>): RemoteServer {
      const remote = remotes.get(id) ?? takeTested(url) ?? open(url)
      remotes.set(id, remote)
      return remote
    },
    ofTest,
    endTest,
    /** `isKept`: it stays open until another one is tested, this one is stored, or `endTest`. */
    async test<T>(
      url: string,
      use: (remote: RemoteServer) => Promise<{ readonly value: T; readonly isKept: boolean }>,
    ): Promise<T> {
      const remote = ofTest(url)
      let stays = false
      try {
        const { value, isKept } = await use(remote)
        stays = isKept
        return value
      } finally {
        if (!stays && tested?.remote === remote) endTest()
      }
    },
    isSignedIn: (id: string): boolean => remotes.get(id)?.isSignedIn() ?? false,
    close(id: string): void {
      remotes.get(id)?.close()
      remotes.delete(id)
    },
  }
}
