import { indexedDbOrNull } from '@/lib/base/features.browser'
import { isTemporaryChat } from '@/lib/client/outbox/temporary-chats'
import { createMemoryVault, createSecretVault, type SecretVault } from '@/lib/client/secrets/vault'
import { databaseName } from '@/lib/vfs/indexeddb/database'

const vaults = new Map<string, SecretVault>()

/** The values behind the placeholders of a chat. They share the name of the chat's files and are deleted with them. */
export function vaultOf(conversationId: string): SecretVault {
  let vault = vaults.get(conversationId)
  if (!vault) {
    vault = isTemporaryChat(conversationId)
      ? createMemoryVault()
      : createSecretVault(indexedDbOrNull, databaseName(conversationId, 'secrets'))
    vaults.set(conversationId, vault)
  }
  return vault
}
