import { queryOptions, useMutation } from '@tanstack/react-query';
import { decideDeviceLogin, findDeviceLogin } from 'simcha-client';
import { client } from '../../../lib/api.ts';

/**
 * Query for the device (such as a command line) that waits until the user confirms its code. A wrong code counts as one
 * of the limited tries, so the query is not repeated automatically.
 */
export const deviceQuery = (code: string) =>
  queryOptions({
    queryKey: ['device', code],
    enabled: code !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    queryFn: async ({ signal }) =>
      (await findDeviceLogin({ client, signal, body: { user_code: code } })).data,
  });

export function useDecideDevice(code: string) {
  return useMutation({
    mutationFn: (allow: boolean) => decideDeviceLogin({ client, body: { user_code: code, allow } }),
  });
}

/** Reads the code in the address that a device shows: `/device?code=XXXX-XXXX`. */
export function readDeviceSearch({ code }: Record<string, unknown>): { code?: string | undefined } {
  return { code: typeof code === 'string' && code !== '' ? code : undefined };
}
