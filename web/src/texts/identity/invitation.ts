export const INVITATION_TEXTS = {
  acceptInvite: 'Accept your invitation',
  invitedBoth: 'Your name and email come from the invitation.',
  invitedEmail: 'Your email comes from the invitation.',
  openingInvite: 'Opening your invitation',
  inviteError: 'INVITE ERROR',
  inviteGone: 'This link may have been used already or may have expired. Ask a site admin for a new one.',
  goToLogin: 'Go to login',
  signedInAlready: (name: string) =>
    `You are signed in as ${name}. Log out to accept this invitation with an account of its own.`,
  logOutFirst: 'Log out and accept',
  stayIn: 'Back to the groups',
} as const;
