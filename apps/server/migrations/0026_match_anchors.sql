CREATE TABLE "match_anchors" (
	"match_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"memo" text NOT NULL,
	"signature" text,
	"wire" text,
	"last_valid_block_height" numeric(20, 0),
	"slot" numeric(20, 0),
	"is_lost" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "match_anchors_match_id_kind_pk" PRIMARY KEY("match_id","kind")
);
--> statement-breakpoint
ALTER TABLE "match_secrets" ADD COLUMN "receipt_seed" text;--> statement-breakpoint
ALTER TABLE "matches" ADD COLUMN "receipt_key" text;--> statement-breakpoint
ALTER TABLE "matches" ADD COLUMN "previous_commitment" text;--> statement-breakpoint
ALTER TABLE "matches" ADD COLUMN "stored_hash" text;--> statement-breakpoint
ALTER TABLE "match_anchors" ADD CONSTRAINT "match_anchors_match_id_matches_id_fk" FOREIGN KEY ("match_id") REFERENCES "public"."matches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "match_anchors_open" ON "match_anchors" USING btree ("created_at") WHERE "match_anchors"."slot" is null and not "match_anchors"."is_lost";