import { makeRefusal } from '@/lib/i18n/t'

/** Why someone was sent to the page to sign in, by what the address says; null for a word that it must not say. */
export function signInReason(error: string | null, label: string | null): string | null {
  switch (error) {
    case null:
    case '':
      return null
    case 'signed_out':
      return makeRefusal('accounts.signed-out').message
    case 'invitation_needed':
      return makeRefusal('accounts.invitation-needed').message
    case 'address_must_be_proven':
      return makeRefusal('accounts.address-must-be-proven').message
    case 'invitation_wrong':
      return makeRefusal('accounts.invitation-wrong').message
    case 'account_disabled':
      return makeRefusal('accounts.disabled').message
    case 'account_not_linked':
      return makeRefusal('accounts.not-linked', { label: label ?? '' }).message
    default:
      return makeRefusal('accounts.oidc-failed').message
  }
}
