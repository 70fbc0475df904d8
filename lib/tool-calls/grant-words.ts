import type { GrantScope } from '@/lib/chat/conversation'

/** What a remembered yes covers, as it goes on after "don't ask again for" and "you allowed". */
export function scopeWords(scope: GrantScope): string {
  switch (scope.kind) {
    case 'arguments':
      return `this very call of ${scope.tool}`
    case 'folder':
      return `${scope.tool} in ${folderWords(scope.folder)}`
    case 'tool':
      return `every ${scope.tool}`
  }
}

/** A folder is all below it, and the root is everything. */
export const folderWords = (folder: string): string =>
  folder === '/' ? 'all folders of this chat' : `${folder} and all below it`
