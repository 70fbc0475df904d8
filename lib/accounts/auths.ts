import { makeError } from '@/lib/i18n/t'
import type { AccountPorts, Auths } from './account-context'
import { makeAuth, OIDC, type Auth, type AuthPorts } from './make-auth'

export function createAuths(ports: AccountPorts, isAdminAddress: (email: string) => boolean): Auths {
  const { settings, secrets } = ports
  const authPorts: AuthPorts = {
    ...ports,
    secret: secrets[0],
    refusalOf(email, { proven, invited }) {
      // An invitation for anybody does not give away the address of an administrator.
      if (isAdminAddress(email) && !proven) return 'address_must_be_proven'
      return settings.inviteOnly && !invited ? 'invitation_needed' : null
    },
  }
  const plain = new Map<boolean, Auth>()
  const knowing = new Map<boolean, Promise<Auth>>()

  async function makeKnowing(secure: boolean): Promise<Auth> {
    const { oidc } = settings
    if (!oidc) throw makeError('not-found', 'accounts.no-such-way')
    const auth = makeAuth(authPorts, { secure, oidc })
    const { socialProviders } = await auth.$context
    if (!socialProviders.some((one) => one.id === OIDC)) {
      throw makeError('unavailable', 'accounts.oidc-unreachable', { label: oidc.label })
    }
    return auth
  }

  return {
    of(secure) {
      const made = plain.get(secure) ?? makeAuth(authPorts, { secure, oidc: null })
      plain.set(secure, made)
      return made
    },
    withOidc(secure) {
      const made = knowing.get(secure)
      if (made) return made
      const making = makeKnowing(secure)
      knowing.set(secure, making)
      // Asked again next time.
      making.catch(() => knowing.delete(secure))
      return making
    },
  }
}
