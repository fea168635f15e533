import { type ReactNode, useEffect, useRef } from 'react';
import { TEXT } from '../../shared/text.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, SkeletonRows } from '../../ui/panel.tsx';
import styles from './paged-list.module.css';

type PagedListProps = {
  query: {
    isPending: boolean;
    isLoadingError: boolean;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => unknown;
    refetch: () => unknown;
  };
  isEmpty: boolean;
  emptyText: string;
  /** Shown if the first page could not be loaded. */
  failedText?: string | undefined;
  /** The rows. */
  children: ReactNode;
};

/** A list that loads its next page when its end is scrolled into view. */
export function PagedList({ query, isEmpty, emptyText, failedText, children }: PagedListProps) {
  const endRef = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;

  useEffect(() => {
    const end = endRef.current;
    if (!end || !hasNextPage || isFetchingNextPage) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) fetchNextPage();
    });
    observer.observe(end);
    return () => observer.disconnect();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);

  if (query.isLoadingError) {
    return (
      <EmptyState text={failedText ?? TEXT.statsFeed.failed}>
        <Button size="sm" onClick={() => query.refetch()}>
          {TEXT.tryAgain}
        </Button>
      </EmptyState>
    );
  }
  if (query.isPending) return <SkeletonRows count={4} label={TEXT.loading} />;
  if (isEmpty) return <EmptyState text={emptyText} />;
  return (
    <div className={styles.scroller}>
      {children}
      <div ref={endRef} className={styles.end} />
    </div>
  );
}
