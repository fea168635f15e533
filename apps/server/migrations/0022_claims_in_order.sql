ALTER TABLE "lobbies" ADD COLUMN "claims_in_order" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payout_batches" ADD COLUMN "number" numeric(20, 0);--> statement-breakpoint
ALTER TABLE "signer_log" ADD COLUMN "number" numeric(20, 0);--> statement-breakpoint
CREATE UNIQUE INDEX "payout_batches_one_per_number" ON "payout_batches" USING btree ("lobby_id","number") WHERE "payout_batches"."status" = 'finalized';