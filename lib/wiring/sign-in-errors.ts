import { accountRefusal } from '@/lib/words/accounts'

/** Why somebody was sent to the page to sign in, by what the address says; null for a word that it must not say. */
export function sentHereBecause(error: string | null, label: string | null): string | null {
  switch (error) {
    case null:
    case '':
      return null
    case 'signed_out':
      return accountRefusal('accounts.signed-out').message
    case 'invitation_needed':
      return accountRefusal('accounts.invitation-needed').message
    case 'address_must_be_proven':
      return accountRefusal('accounts.address-must-be-proven').message
    case 'invitation_wrong':
      return accountRefusal('accounts.invitation-wrong').message
    case 'account_disabled':
      return accountRefusal('accounts.disabled').message
    case 'account_not_linked':
      return accountRefusal('accounts.not-linked', { label: label ?? '' }).message
    default:
      return accountRefusal('accounts.oidc-failed').message
  }
}
