import { DirectionProvider, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { SimchaError } from 'simcha-client';
import { sessionQuery } from '../features/sign-in/api/session.ts';
import { LanguageProvider } from '../lib/language-context.tsx';
import { LANGUAGES } from '../lib/languages.ts';
import { languageOfPage } from '../lib/page-language.ts';
import { storedColorScheme } from './color-scheme.ts';
import type { ConsoleRouter } from './router.tsx';
import { cssVariables, theme } from './theme.ts';

const schemes = storedColorScheme();

interface AppProps {
  queries: QueryClient;
  router: ConsoleRouter;
  nonce: string;
}

export function App({ queries, router, nonce }: AppProps) {
  return (
    // The first direction is the page's own, because another one would make everything render a second time.
    <DirectionProvider initialDirection={LANGUAGES[languageOfPage()].dir} detectDirection={false}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        colorSchemeManager={schemes}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <LanguageProvider>
          <QueryClientProvider client={queries}>
            {/* A notification closes even if another one, which was hovered, was removed: browsers then report no end of
                the hover, and “all” would pause for ever. */}
            <Notifications
              position="top-center"
              layout="stacked"
              limit={3}
              containerWidth={420}
              pauseResetOnHover="notification"
            />
            <RouterProvider router={router} />
          </QueryClientProvider>
        </LanguageProvider>
      </MantineProvider>
    </DirectionProvider>
  );
}

/**
 * Creates the cache of queries. The API client repeats failed requests itself; a response with 401 ends the session
 * here.
 */
export function createQueries(): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof SimchaError && error.status === 401)
      queries.setQueryData(sessionQuery.queryKey, null);
  };
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { retry: false, staleTime: 10_000, gcTime: 600_000 },
      mutations: { retry: false },
    },
  });
  return queries;
}
