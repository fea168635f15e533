CREATE TABLE "reconciled_transactions" (
	"signature" text NOT NULL,
	"lobby_id" uuid NOT NULL,
	"slot" numeric(20, 0) NOT NULL,
	CONSTRAINT "reconciled_transactions_lobby_id_signature_pk" PRIMARY KEY("lobby_id","signature")
);
--> statement-breakpoint
CREATE TABLE "unreadable_transactions" (
	"signature" text NOT NULL,
	"lobby_id" uuid NOT NULL,
	"slot" numeric(20, 0) NOT NULL,
	"attempts" integer NOT NULL,
	"reason" text NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"retry_at" timestamp with time zone NOT NULL,
	CONSTRAINT "unreadable_transactions_lobby_id_signature_pk" PRIMARY KEY("lobby_id","signature")
);
--> statement-breakpoint
ALTER TABLE "lobbies" ADD COLUMN "reconciled_slot" numeric(20, 0);--> statement-breakpoint
ALTER TABLE "lobbies" ADD COLUMN "proven_slot" numeric(20, 0);--> statement-breakpoint
ALTER TABLE "lobbies" ADD COLUMN "reserve_lamports" numeric(20, 0);--> statement-breakpoint
ALTER TABLE "payout_batches" ADD COLUMN "signed_at_slot" numeric(20, 0);--> statement-breakpoint
ALTER TABLE "payout_batches" ADD COLUMN "landed_slot" numeric(20, 0);--> statement-breakpoint
ALTER TABLE "reconciled_transactions" ADD CONSTRAINT "reconciled_transactions_lobby_id_lobbies_id_fk" FOREIGN KEY ("lobby_id") REFERENCES "public"."lobbies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unreadable_transactions" ADD CONSTRAINT "unreadable_transactions_lobby_id_lobbies_id_fk" FOREIGN KEY ("lobby_id") REFERENCES "public"."lobbies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payments_lobby_id_slot_index" ON "payments" USING btree ("lobby_id","slot");